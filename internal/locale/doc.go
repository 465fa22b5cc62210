// Package locale turns message ids into text: two catalogues, Spanish and
// Korean, plural forms, Korean particles by the sound of the word before them,
// numbers, durations and event times as each language writes them, and the
// choice of the language.
//
// It must never know what a message is about, a screen, or the wall clock, and
// it decides nothing about content: a missing text is reported, not invented.
// Its truth is the TOML parts under assets/locales for the words, CLDR for the
// plural forms, and assets/glossary.toml (through the lint) for the terms.
package locale
