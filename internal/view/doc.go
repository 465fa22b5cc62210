// Package view draws: what a run looks like on a screen of some size, as lines
// of text. A scene is a fold over the trace; a picture is a scene, a size and
// a selection, and nothing else: the same three give the same lines.
//
// It must never know a terminal, a key or a session, and colour is never the
// only mark. Its truth is the trace.
package view
