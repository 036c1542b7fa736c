/// A statement that ran while statements were collected.
package struct CollectedStatement: Sendable {
  package let text: String
  /// The details, besides the text, from which the store explains the statement; nil if the text is enough.
  package let details: (any Sendable)?
}
