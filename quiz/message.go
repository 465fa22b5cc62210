package quiz

// The ids of all messages of this package. The sentences are in
// assets/locales/es/quiz.toml and assets/locales/ko/quiz.toml; a test holds the two
// lists and this one together. Arguments are named in the sentences.
const (
	// Files.
	errSyntax       = "quiz.error.syntax"
	errEncoding     = "quiz.error.encoding"
	errRead         = "quiz.error.read"
	errNoFile       = "quiz.error.no-file"
	errNoPermission = "quiz.error.no-permission"
	errTrailing     = "quiz.error.trailing-data"
	errJSONSign     = "quiz.error.json-sign"
	errJSONKey      = "quiz.error.json-key"
	errJSONValue    = "quiz.error.json-value"
	errJSONText     = "quiz.error.json-text"
	errCutOff       = "quiz.error.cut-off"
	errNotObject    = "quiz.error.not-an-object"
	errDepth        = "quiz.error.too-deep"
	errDuplicateKey = "quiz.error.duplicate-key"
	errFileSize     = "quiz.error.file-too-large"
	errNotRegular   = "quiz.error.not-a-regular-file"
	errSymlink      = "quiz.error.link-leads-out"
	errDirDepth     = "quiz.error.directories-too-deep"
	errTooManyFiles = "quiz.error.too-many-files"

	// Keys of a file.
	errUnknownKey  = "quiz.error.unknown-key"
	errMissingKey  = "quiz.error.missing-key"
	errEmptyKey    = "quiz.error.empty-key"
	errKeyType     = "quiz.error.wrong-type"
	errUnknownWord = "quiz.error.unknown-word"
	errOutOfRange  = "quiz.error.out-of-range"
	errTooMany     = "quiz.error.too-many"
	errTooLong     = "quiz.error.too-long"
	errBadID       = "quiz.error.bad-id"
	errDuplicateID = "quiz.error.duplicate-id"
	errNameDiffers = "quiz.error.name-differs"
	errSchema      = "quiz.error.schema"
	errTries       = "quiz.error.tries"

	// Items.
	errKeyBoth        = "quiz.error.key-computed-and-stated"
	errKeyNeither     = "quiz.error.key-without-origin"
	errKeyMustCompute = "quiz.error.key-must-be-computed"
	errShapeList      = "quiz.error.key-not-a-list"
	errShapeBool      = "quiz.error.key-not-true-or-false"
	errShapeText      = "quiz.error.key-not-text"
	errShapeQuantity  = "quiz.error.key-not-a-quantity"
	errShapePart      = "quiz.error.key-unknown-part"
	errShapeNone      = "quiz.error.key-without-option"
	errShapeOptions   = "quiz.error.key-matches-options"
	errShapePairs     = "quiz.error.key-lacks-pairs"
	errShapeFew       = "quiz.error.key-too-short"
	errShapeCycle     = "quiz.error.key-cycle"
	errOptionCount    = "quiz.error.option-count"
	errOptionValue    = "quiz.error.option-without-value"
	errOptionNoValue  = "quiz.error.value-with-stated-key"
	errOptionMixed    = "quiz.error.values-and-conditions"
	errModelBoth      = "quiz.error.model-twice"
	errModelNeither   = "quiz.error.model-without-answer"
	errModelLiteral   = "quiz.error.model-literal"
	errModelNoTrace   = "quiz.error.model-without-trace"
	errModelNoPair    = "quiz.error.model-not-a-pair"
	errPlaceholder    = "quiz.error.unknown-placeholder"
	errParityMissing  = "quiz.error.parity-missing"
	errParityNames    = "quiz.error.parity-placeholders"
	errParityCode     = "quiz.error.parity-code"
	errParityNumbers  = "quiz.error.parity-numbers"
	errParityHints    = "quiz.error.parity-hints"

	// References.
	errNoItem          = "quiz.error.no-item"
	errNoMisconception = "quiz.error.no-misconception"
	errNoExperiment    = "quiz.error.no-experiment"
	errNoStatement     = "quiz.error.no-statement"
	errNoRule          = "quiz.error.no-rule"
	errNoTerm          = "quiz.error.no-term"

	// Keys that are computed, and checks.
	errNoEngine         = "quiz.error.no-engine"
	errExperiment       = "quiz.error.experiment"
	errExpression       = "quiz.error.expression"
	errModelEqualsKey   = "quiz.error.model-equals-key"
	errOptionsEqual     = "quiz.error.options-equal"
	errNoWrongModel     = "quiz.error.no-wrong-model"
	errNotNamed         = "quiz.error.choice-without-misconception"
	errNotRefuted       = "quiz.error.choice-not-refuted"
	errRefutedElsewhere = "quiz.error.refuted-elsewhere"
	errModelIndependent = "quiz.error.model-independent"
	errModelValue       = "quiz.error.model-reads-nothing"
	errNoFeedback       = "quiz.error.choice-without-feedback"
	errConstant         = "quiz.error.expression-reads-nothing"
	errKeyIndependent   = "quiz.error.key-independent"
	errReferenceFails   = "quiz.error.reference-fails"
	errAlreadyHolds     = "quiz.error.already-holds"
	errGuessable        = "quiz.error.right-at-one-place"

	// Answers.
	errAnswerEncoding  = "quiz.error.answer-encoding"
	errAnswerTooLong   = "quiz.error.answer-too-long"
	errAnswerOne       = "quiz.error.answer-one-option"
	errAnswerID        = "quiz.error.answer-unknown-option"
	errAnswerTwice     = "quiz.error.answer-twice"
	errAnswerPair      = "quiz.error.answer-pair"
	errAnswerBool      = "quiz.error.answer-true-or-false"
	errNumberFormat    = "quiz.error.number-format"
	errNumberAmbiguous = "quiz.error.number-ambiguous"
	errNumberWhole     = "quiz.error.number-whole"
	errUnit            = "quiz.error.unit"
	errUnitMissing     = "quiz.error.unit-missing"
	errDuration        = "quiz.error.duration"
	errTimeFormat      = "quiz.error.time-format"
	errLearnerScript   = "quiz.error.learner-script"

	// Grading.
	errWrongQuiz      = "quiz.error.wrong-quiz"
	errWrongVersion   = "quiz.error.wrong-version"
	errWrongSeed      = "quiz.error.wrong-seed"
	errSomeInvalid    = "quiz.error.some-invalid"
	errNotMember      = "quiz.error.not-a-member"
	errDuplicate      = "quiz.error.duplicate"
	errUnknownLearner = "quiz.error.unknown-learner"
	errMissingFile    = "quiz.error.missing-file"
	errRosterHeader   = "quiz.error.roster-header"
	errRosterQuote    = "quiz.error.roster-quote"
	errPanic          = "quiz.error.defect"
)

// MessageIDs lists every message id that a [Problem] of this package may have,
// with the arguments that come with it.
func MessageIDs() map[string][]string {
	return map[string][]string{
		errSyntax: {"Detail"}, errEncoding: nil, errRead: {"Detail"}, errTrailing: nil,
		errNoFile: nil, errNoPermission: nil, errJSONSign: {"Value", "Want"}, errJSONKey: {"Value"}, errJSONValue: {"Value"}, errJSONText: {"Value"}, errCutOff: nil, errNotObject: nil,
		errDepth: {"Max"}, errDuplicateKey: {"Key"}, errFileSize: {"Max"}, errNotRegular: nil, errSymlink: nil,
		errDirDepth: {"Max"}, errTooManyFiles: {"Max"},

		errUnknownKey: {"Key", "Nearest"}, errMissingKey: {"Key"}, errEmptyKey: {"Key"}, errKeyType: {"Key", "Want"},
		errUnknownWord: {"Key", "Value", "Want"}, errOutOfRange: {"Key", "Value", "Min", "Max"}, errTooMany: {"Key", "Max"},
		errTooLong: {"Key", "Max"}, errBadID: {"Key", "Value"}, errDuplicateID: {"Key", "Value"}, errNameDiffers: {"Value", "Want"},
		errSchema: {"Value", "Want"}, errTries: {"Key"},

		errKeyBoth: nil, errKeyNeither: nil, errKeyMustCompute: {"Kind"},
		errShapeList: {"Item"}, errShapeBool: {"Item"}, errShapeText: {"Item"}, errShapeQuantity: {"Item"},
		errShapePart: {"Item", "Value"}, errShapeNone: {"Item"}, errShapeOptions: {"Item", "Count", "Value"},
		errShapePairs: {"Item"}, errShapeFew: {"Item"}, errShapeCycle: {"Item"},
		errOptionCount: {"Count", "Min", "Max"}, errOptionValue: {"Value"},
		errOptionNoValue: {"Value"}, errOptionMixed: nil, errModelBoth: nil, errModelNeither: {"Value"}, errModelLiteral: {"Kind"},
		errModelNoTrace: {"Value"}, errModelNoPair: {"Item", "Value"}, errPlaceholder: {"Value"}, errParityMissing: {"Key", "Lang"},
		errParityNames: {"Key", "Want", "Value"}, errParityCode: {"Key", "Want", "Value"}, errParityNumbers: {"Key", "Want", "Value"},
		errParityHints: {"Lang", "Want", "Count"},

		errNoItem: {"Quiz", "Item"}, errNoMisconception: {"Item", "Value"}, errNoExperiment: {"Item", "Experiment"},
		errNoStatement: {"Item", "Value"}, errNoRule: {"Item", "Value"}, errNoTerm: {"Item", "Value"},

		errNoEngine: {"Item"}, errExperiment: {"Item", "Experiment", "Detail"}, errExpression: {"Item", "Expression", "Detail"},
		errModelEqualsKey: {"Item", "Misconception", "Value", "Seed"}, errOptionsEqual: {"Item", "Value", "Other"},
		errNoWrongModel: {"Item"}, errNotNamed: {"Item", "Value"}, errNotRefuted: {"Item", "Value"},
		errRefutedElsewhere: {"Item", "Misconception", "Experiment"}, errModelValue: {"Item", "Value"}, errModelIndependent: {"Item", "Value"},
		errNoFeedback: {"Item", "Value", "Lang"}, errConstant: {"Item", "Expression"}, errKeyIndependent: {"Item", "Experiment"},
		errReferenceFails: {"Item", "Seed", "Detail"}, errAlreadyHolds: {"Item", "Seed"},
		errGuessable: {"Place", "Count", "All"},

		errAnswerEncoding: nil, errAnswerTooLong: {"Max"}, errAnswerOne: {"Value"}, errAnswerID: {"Value", "Want"},
		errAnswerTwice: {"Value"}, errAnswerPair: {"Value"}, errAnswerBool: {"Value"}, errNumberFormat: {"Value"},
		errNumberAmbiguous: {"Value"}, errNumberWhole: {"Value"}, errUnit: {"Value", "Want"}, errUnitMissing: {"Value"}, errDuration: {"Value"},
		errTimeFormat: {"Value"}, errLearnerScript: {"Detail"},

		errWrongQuiz: {"Quiz", "Want"}, errWrongVersion: {"Quiz", "Engine"}, errWrongSeed: {"Quiz", "Seed"},
		errSomeInvalid: {"Item", "Value"}, errNotMember: {"Item", "Quiz"}, errDuplicate: {"File", "Value"},
		errUnknownLearner: {"Value"}, errMissingFile: {"Value"}, errRosterHeader: nil, errRosterQuote: nil, errPanic: {"Detail"},
	}
}
