// Package tables implements what every payment provider needs that keeps its records in the application's database,
// see plugin.Tables and plugin.Database: responses to repeated requests and retired keys ([Keys]), and the
// processing and reporting of what happens without a request ([Customers]).
//
// The adapter creates the tables in its migrations. Their names are part of SQL statements: use constants.
package tables
