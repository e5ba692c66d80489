// Package httpapi is the face the web app and other billing front ends talk to: chi routes, the
// wire's types and one table of errors. openapi.yaml beside it is the wire's description; the
// tests hold every answer against it.
//
// A request walks through: recover and log, security headers, body limit, session, the guard of
// unsafe methods, the handler. A handler decodes, asks one use case, converts and writes; it
// returns its error, and fail writes it. The specification's names for things exist only here.
package httpapi
