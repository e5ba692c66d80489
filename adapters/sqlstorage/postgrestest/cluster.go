package postgrestest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"database/sql"
	_ "embed" // the script
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

//go:embed cluster.sh
var clusterScript string

// serverOptions contains options that make the server faster but not durable.
var serverOptions = "-c fsync=off -c full_page_writes=off -c autovacuum=off"

// UseProductionSettings makes the server durable, for benchmarks. Call it before Run.
func UseProductionSettings() { serverOptions = "-c max_wal_size=4GB" }

// cluster is a running server.
type cluster struct {
	folder  string    // contains the data and the socket
	stdin   io.Closer // of the script, which stops the server when stdin is closed
	process *exec.Cmd // runs the script
	admin   *sql.DB
}

// sharedCluster returns the cluster of this test binary. The first call starts the cluster.
var sharedCluster = sync.OnceValues(startCluster)

// startedCluster is the cluster that sharedCluster has started, or nil if there is none.
var startedCluster *cluster

func startCluster() (*cluster, error) {
	binaryDir, err := findBinaryDir()
	if err != nil {
		return nil, err
	}
	// The path of a socket must be short; os.TempDir may be long.
	folder, err := os.MkdirTemp("/tmp", "diy-pg-")
	if err != nil {
		return nil, err
	}
	c := &cluster{folder: folder}
	if err := c.runScript(binaryDir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	startedCluster = c
	config, err := pgx.ParseConfig(c.url("postgres"))
	if err != nil {
		return nil, err
	}
	c.admin = stdlib.OpenDB(*config)
	return c, nil
}

// runScript starts the script and waits until the server is ready.
func (c *cluster) runScript(binaryDir string) error {
	attributes, err := c.processAttributes()
	if err != nil {
		return err
	}
	var log bytes.Buffer
	c.process = exec.CommandContext(context.Background(), "/bin/sh", "-c", clusterScript, "sh", binaryDir, c.folder, serverOptions)
	c.process.Dir, c.process.Env, c.process.Stderr = c.folder, []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}, &log
	c.process.SysProcAttr = attributes
	stdout, err := c.process.StdoutPipe()
	if err != nil {
		return err
	}
	if c.stdin, err = c.process.StdinPipe(); err != nil {
		return err
	}
	if err := c.process.Start(); err != nil {
		return err
	}
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		return fmt.Errorf("PostgreSQL did not start: %w\n%s", c.process.Wait(), &log)
	}
	return nil
}

// processAttributes returns attributes that put the script into a separate process group, so that it survives an
// interrupt of the tests and can clean up. If the tests run as root, the script runs as the user postgres, who becomes
// the owner of the folder, because PostgreSQL does not run as root.
func (c *cluster) processAttributes() (*syscall.SysProcAttr, error) {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() != 0 {
		return attributes, nil
	}
	owner, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, _ := strconv.ParseUint(owner.Uid, 10, 32) // numeric on Unix
	gid, _ := strconv.ParseUint(owner.Gid, 10, 32)
	attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attributes, os.Chown(c.folder, int(uid), int(gid))
}

// url returns the URL of a database. On a loaded machine a connection can take many seconds.
func (c *cluster) url(name string) string {
	return "postgres://diy@/" + name + "?connect_timeout=120&host=" + c.folder
}

func (c *cluster) stop() error {
	var err error
	if c.admin != nil {
		err = c.admin.Close()
	}
	return errors.Join(err, c.stdin.Close(), c.process.Wait())
}

// stopCluster stops the cluster if it was started.
func stopCluster() error {
	if startedCluster == nil {
		return nil
	}
	return startedCluster.stop()
}

// findBinaryDir returns the folder with initdb and pg_ctl. It prefers the newest version that Debian installed, which
// is not in the PATH.
func findBinaryDir() (string, error) {
	debianPaths, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err == nil && len(debianPaths) > 0 {
		newestPath := slices.MaxFunc(debianPaths, func(x, y string) int { return cmp.Compare(parseVersion(x), parseVersion(y)) })
		return filepath.Dir(newestPath), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("PostgreSQL is not installed: %w", err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	return filepath.Dir(path), nil
}

// parseVersion returns the version in a path of Debian, or 0.
func parseVersion(path string) float64 {
	version, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(filepath.Dir(path))), 64)
	return version
}
