// Command diy serves the self-service sign-up and billing area. Run `diy help` for its commands;
// package diycmd documents its configuration and how to build it with another payment provider.
package main

import "github.com/vc-admin/diy/cmd/diycmd"

func main() { diycmd.Main() }
