/// What a listener tells of, and how long it waits. A program tells of all that it has; a test tells of its own coordinators, since
/// those of other tests in the process are not to be touched.
struct LookScope: Sendable {
  /// The addresses of the coordinators that are told of, with their stores and contexts; nil for all.
  var coordinators: Set<UInt>?
  /// The time in seconds within which a context must answer.
  var patience = 0.1

  static let all = LookScope()
}
