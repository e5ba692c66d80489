// Package pgdriver lets database/sql, and sqlx on top of it, talk to PostgreSQL through pgx's
// native connection. It does what the store asks of it and no more: arguments are the basic types
// of database/sql, and statements are prepared by pgx, once for each connection.
//
// Pooling is database/sql's alone; pgx's own pool and its adapter for database/sql stay out of it.
package pgdriver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
)

// Name is what sqlx knows the driver as: placeholders are $1, $2 and so on.
const Name = "pgx"

// Open is a pool of connections made as the configuration says. It connects when it is used.
func Open(config *pgx.ConnConfig) *sql.DB { return sql.OpenDB(connector{config}) }

type connector struct{ config *pgx.ConnConfig }

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	pg, err := pgx.ConnectConfig(ctx, c.config.Copy())
	if err != nil {
		return nil, err
	}
	return &conn{pg: pg, used: now()}, nil
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return unnamed{} }

// unnamed is the driver of pools that no text describes.
type unnamed struct{}

// Open implements driver.Driver.
func (unnamed) Open(string) (driver.Conn, error) {
	return nil, errors.New("pgdriver: use Open with a configuration")
}
