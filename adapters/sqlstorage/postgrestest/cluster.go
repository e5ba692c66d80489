package postgrestest

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	_ "embed" // the script
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"sync"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

//go:embed cluster.sh
var script string

// durability is what the server is told about its disk: mostly, that nothing has to survive a power
// cut.
var durability = "-c fsync=off -c full_page_writes=off -c autovacuum=off"

// InEarnest lets the server write to its disk, and tidy up, as one that people depend on does: for
// measurements. It is to be called before Run.
func InEarnest() { durability = "-c max_wal_size=4GB" }

// cluster is a running server.
type cluster struct {
	folder string // its socket lies here
	supply io.Closer
	script *exec.Cmd
	admin  *sql.DB
}

// started is the cluster of this process, started by whoever asks first.
var started = sync.OnceValues(start)

// live is the cluster that has to be stopped, nil while there is none.
var live *cluster

func start() (*cluster, error) {
	binaries, err := findBinaries()
	if err != nil {
		return nil, err
	}
	// The path of a socket must be short, which os.TempDir is not everywhere.
	folder, err := os.MkdirTemp("/tmp", "diy-pg-")
	if err != nil {
		return nil, err
	}
	c := &cluster{folder: folder}
	if err := c.launch(binaries); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	live = c
	config, err := pgx.ParseConfig(c.url("postgres"))
	if err != nil {
		return nil, err
	}
	c.admin = stdlib.OpenDB(*config)
	return c, nil
}

// launch starts the script and waits until it is ready.
func (c *cluster) launch(binaries string) error {
	attributes, err := c.attributes()
	if err != nil {
		return err
	}
	var log bytes.Buffer
	c.script = exec.CommandContext(context.Background(), "/bin/sh", "-c", script, "sh", binaries, c.folder, durability)
	c.script.Dir, c.script.Env, c.script.Stderr = c.folder, []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}, &log
	c.script.SysProcAttr = attributes
	said, err := c.script.StdoutPipe()
	if err != nil {
		return err
	}
	if c.supply, err = c.script.StdinPipe(); err != nil {
		return err
	}
	if err := c.script.Start(); err != nil {
		return err
	}
	if line, _ := bufio.NewReader(said).ReadString('\n'); line != "ready\n" {
		return fmt.Errorf("PostgreSQL did not start: %w\n%s", c.script.Wait(), &log)
	}
	return nil
}

// attributes keep the script from an interrupt of the tests, which it outlives to tidy up, and
// have PostgreSQL run as its own user where we are root, which it refuses to be.
func (c *cluster) attributes() (*syscall.SysProcAttr, error) {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() != 0 {
		return attributes, nil
	}
	owner, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, _ := strconv.ParseUint(owner.Uid, 10, 32) // they are numbers wherever Setpgid is known
	gid, _ := strconv.ParseUint(owner.Gid, 10, 32)
	attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attributes, os.Chown(c.folder, int(uid), int(gid))
}

// url names a database of the cluster.
func (c *cluster) url(name string) string { return "postgres://diy@/" + name + "?host=" + c.folder }

func (c *cluster) stop() error {
	var err error
	if c.admin != nil {
		err = c.admin.Close()
	}
	return errors.Join(err, c.supply.Close(), c.script.Wait())
}

// stop ends the cluster of this process, if there is one.
func stop() error {
	if live == nil {
		return nil
	}
	return live.stop()
}
