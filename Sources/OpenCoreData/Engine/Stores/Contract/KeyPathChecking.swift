/// Finds key paths that the model does not have, before a store is asked for their values.
package protocol KeyPathChecking: Sendable {
  /// - Throws: 134060, naming entity and key path.
  func check(_ target: FetchTarget) throws
}
