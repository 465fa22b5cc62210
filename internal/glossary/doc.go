// Package glossary knows the terms of the course: how each language says them,
// what a short answer may say instead, what they mean, and which words our
// prose does not use.
//
// It must never know a lesson, an item or a screen, and it changes no text: it
// finds words and says where they stand.
// Its truth is assets/glossary.toml, and behind it what engineers of the two
// communities say.
package glossary
