/// A statement that ran while statements were collected.
package struct CollectedStatement: Sendable {
  package let text: String
  /// What the store that ran the statement needs to explain it, besides its text; nil if the text is enough.
  package let details: (any Sendable)?
}
