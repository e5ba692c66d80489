package sqlstorage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vc-admin/diy/domain/fault"
)

// prepareFile makes the database's folder and an empty file only we may read: people's addresses
// go in there. SQLite gives its side files the mode of the database. What is there already keeps
// its mode, which is the owner's choice.
func prepareFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The folder of the database can't be made")
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The file of the database can't be made")
	}
	return file.Close()
}
