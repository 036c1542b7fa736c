/// A statement that ran while statements were collected.
package struct CollectedStatement: Sendable {
  package let text: String
  /// What the store that ran it explains it by, besides its text; nil where the text is enough.
  package let details: (any Sendable)?
}
