package kafka

import "fmt"

// An Error is an error code of the protocol; 0 is none.
type Error int16

// The codes that the broker answers with (K, table of errors).
const (
	None                               Error = 0
	UnknownServerError                 Error = -1
	OffsetOutOfRange                   Error = 1
	NotLeaderOrFollower                Error = 6
	RequestTimedOut                    Error = 7
	NotCoordinator                     Error = 16
	NotEnoughReplicas                  Error = 19
	TopicAuthorizationFailed           Error = 29
	GroupAuthorizationFailed           Error = 30
	InvalidRequest                     Error = 42
	OutOfOrderSequenceNumber           Error = 45
	InvalidProducerEpoch               Error = 47
	InvalidTxnState                    Error = 48
	InvalidProducerIDMapping           Error = 49
	InvalidTransactionTimeout          Error = 50
	ConcurrentTransactions             Error = 51
	TransactionCoordinatorFenced       Error = 52
	TransactionalIDAuthorizationFailed Error = 53
	UnstableOffsetCommit               Error = 88
	ProducerFenced                     Error = 90
	TransactionAbortable               Error = 120
)

var errorNames = map[Error]string{
	None:                               "NONE",
	UnknownServerError:                 "UNKNOWN_SERVER_ERROR",
	OffsetOutOfRange:                   "OFFSET_OUT_OF_RANGE",
	NotLeaderOrFollower:                "NOT_LEADER_OR_FOLLOWER",
	RequestTimedOut:                    "REQUEST_TIMED_OUT",
	NotCoordinator:                     "NOT_COORDINATOR",
	NotEnoughReplicas:                  "NOT_ENOUGH_REPLICAS",
	TopicAuthorizationFailed:           "TOPIC_AUTHORIZATION_FAILED",
	GroupAuthorizationFailed:           "GROUP_AUTHORIZATION_FAILED",
	InvalidRequest:                     "INVALID_REQUEST",
	OutOfOrderSequenceNumber:           "OUT_OF_ORDER_SEQUENCE_NUMBER",
	InvalidProducerEpoch:               "INVALID_PRODUCER_EPOCH",
	InvalidTxnState:                    "INVALID_TXN_STATE",
	InvalidProducerIDMapping:           "INVALID_PRODUCER_ID_MAPPING",
	InvalidTransactionTimeout:          "INVALID_TRANSACTION_TIMEOUT",
	ConcurrentTransactions:             "CONCURRENT_TRANSACTIONS",
	TransactionCoordinatorFenced:       "TRANSACTION_COORDINATOR_FENCED",
	TransactionalIDAuthorizationFailed: "TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
	UnstableOffsetCommit:               "UNSTABLE_OFFSET_COMMIT",
	ProducerFenced:                     "PRODUCER_FENCED",
	TransactionAbortable:               "TRANSACTION_ABORTABLE",
}

// String is the name that Kafka gives the code.
func (e Error) String() string {
	if n, ok := errorNames[e]; ok {
		return n
	}
	return fmt.Sprintf("code %d", int16(e))
}

// Retriable reports whether a client sends the request again by itself.
func (e Error) Retriable() bool {
	switch e {
	case ConcurrentTransactions, NotCoordinator, NotEnoughReplicas, NotLeaderOrFollower, RequestTimedOut, UnstableOffsetCommit:
		return true
	}
	return false
}
