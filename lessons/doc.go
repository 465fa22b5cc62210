// Package lessons delivers the texts of the course as bytes, with the order,
// length and claims of each lesson.
//
// It must never parse Markdown, know a quiz or a screen. Its truth is
// course.toml and the files beside it.
package lessons
