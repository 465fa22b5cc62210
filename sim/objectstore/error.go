package objectstore

import (
	"fmt"

	"streaminglab/sim"
)

// A Code says what went wrong, in the words of S3 where it has one.
type Code string

// The codes.
const (
	AccessDenied      Code = "AccessDenied"
	SlowDown          Code = "SlowDown"
	NoSuchKey         Code = "NoSuchKey"
	NoSuchUpload      Code = "NoSuchUpload"
	InternalError     Code = "InternalError"
	RequestTimeout    Code = "RequestTimeout"
	NoSpaceLeft       Code = "NoSpaceLeft"
	DirectoryNotEmpty Code = "DirectoryNotEmpty"
)

// An Error is a request that failed, or whose answer was lost.
type Error struct {
	Code Code
	Op   Op
	Key  string
	// Local is set for a local directory, whose words differ.
	Local bool
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s %s", e.Code, e.Op, e.Key) }

// Unknown reports whether the request may have taken effect all the same.
func (e *Error) Unknown() bool { return e.Code == RequestTimeout }

// amazonS3Exception is the class of what the S3 client throws.
const amazonS3Exception = "com.amazonaws.services.s3.model.AmazonS3Exception"

// Exception is the error in the words of the system that would throw it.
func (e *Error) Exception() *sim.Exception {
	s3 := func(text string, status int) *sim.Exception {
		return &sim.Exception{Class: amazonS3Exception, Message: fmt.Sprintf(
			"%s (Service: Amazon S3; Status Code: %d; Error Code: %s)", text, status, e.Code)}
	}
	switch {
	case e.Code == DirectoryNotEmpty:
		return &sim.Exception{Class: "java.io.IOException", Message: "Directory " + e.Key + " is not empty"}
	case e.Code == NoSpaceLeft:
		return &sim.Exception{Class: "java.io.IOException", Message: "No space left on device"}
	case e.Code == RequestTimeout:
		return &sim.Exception{Class: "com.amazonaws.SdkClientException",
			Message: "Unable to execute HTTP request: Read timed out"}
	case e.Local && e.Code == AccessDenied:
		return &sim.Exception{Class: "java.nio.file.AccessDeniedException", Message: e.Key}
	case e.Local && e.Code == NoSuchKey:
		return &sim.Exception{Class: "java.io.FileNotFoundException",
			Message: "File " + e.Key + " does not exist or the user running Flink ('flink') has insufficient permissions to access it."}
	case e.Local:
		return &sim.Exception{Class: "java.io.IOException", Message: "Input/output error"}
	case e.Code == AccessDenied:
		return s3("Access Denied", 403)
	case e.Code == NoSuchKey:
		// So says S3AFileSystem of flink-s3-fs-hadoop, also of a missing table.
		return &sim.Exception{Class: "java.io.FileNotFoundException", Message: "No such file or directory: " + e.Key}
	case e.Code == NoSuchUpload:
		return s3("The specified upload does not exist.", 404)
	case e.Code == SlowDown:
		return s3("Please reduce your request rate.", 503)
	}
	return s3("We encountered an internal error. Please try again.", 500)
}

func (s *Store) fail(code Code, op Op, key string) *Error {
	return &Error{Code: code, Op: op, Key: key, Local: s.Flavour == LocalDirectory}
}
