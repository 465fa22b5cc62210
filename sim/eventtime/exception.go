package eventtime

import "streaminglab/sim"

func exception(class, message string) error {
	return &sim.Exception{Class: class, Message: message}
}

func illegalArgument(message string) error {
	return exception("java.lang.IllegalArgumentException", message)
}

func illegalState(message string) error {
	return exception("java.lang.IllegalStateException", message)
}

func runtimeException(message string) error {
	return exception("java.lang.RuntimeException", message)
}
