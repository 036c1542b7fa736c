/// A problem that verification has found in a store.
package struct StoreProblem: Sendable {
  package enum Severity: String, Sendable, CaseIterable {
    /// The store is damaged, or contradicts itself or its model.
    case error
    /// The store works, but is slower than necessary, wastes space, or has values that would not validate.
    case warning
  }

  /// The kind of problem, by a name that scripts can rely on.
  package enum Kind: String, Sendable, CaseIterable {
    case unreadable, damagedFile
    case metadata, modelCache, modelMismatch, versionDigest
    case missingTable, missingColumn, missingIndex
    case primaryKeyRow, entityName, keyCounter
    case wrongEntity
    case danglingKey, wrongDestination, wrongEntityColumn, brokenInverse
    case orphanJoinRow, wrongJoinEntity
    case missingValue, wrongType, outOfRange, invalidText
    case externalReference, missingExternalFile, sharedExternalFile, orphanExternalFile
    case externalFolder, unreadableExternalFile, foreignExternalFile
    case duplicateValues, memberCount, missingPosition
    case history, mirroredRecord
  }

  package let kind: Kind
  package let severity: Severity
  /// The place of the problem: an entity with its property, or a table.
  package let place: String
  /// The description of the problem: what was found, and what was expected.
  package let text: String
  /// How many rows or other things have the problem.
  package let count: Int
  /// The first of these rows or things: objects as `Entity/p1`, or names.
  package let examples: [String]

  package init(
    _ kind: Kind, _ severity: Severity = .error, at place: String, _ text: String, count: Int = 1,
    examples: [String] = []
  ) {
    self.kind = kind
    self.severity = severity
    self.place = place
    self.text = text
    self.count = count
    self.examples = examples
  }
}
