// Package assets is the embedded content that is not lessons and not quizzes:
// the message catalogues, the glossary, the coverage map, the experiments.
//
// It must never know what the bytes mean: it is a leaf, it parses nothing.
// Its truth is the files beside it; whoever reads them checks them.
package assets
