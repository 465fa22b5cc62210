// Package tui is the course in full screen: home, lesson, bench, quiz, help.
//
// Two focuses, always visible: on the line everything is text and Esc leaves;
// on the picture keys act and Enter or : goes to the line. One key has one
// meaning in the whole product. Nothing moves unless something happened, and
// every frame has a text twin in package plain.
//
// It must never compute what the simulator knows, draw what package view can
// draw, or say what is not in the catalogues. Its truth is what session, quiz,
// narrate and view give it. A model is pure: the same messages give the same
// frames.
package tui
