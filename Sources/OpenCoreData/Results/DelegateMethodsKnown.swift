import Synchronization

/// Remembers which delegate methods a class does not implement, so that each class is checked only once.
enum DelegateMethodsKnown {
  private static let missing = Mutex<[ObjectIdentifier: DelegateMethods]>([:])

  static func missing(of delegate: any NSFetchedResultsControllerDelegate) -> DelegateMethods {
    missing.withLock { $0[ObjectIdentifier(type(of: delegate))] ?? [] }
  }

  static func note(_ methods: DelegateMethods, of delegate: any NSFetchedResultsControllerDelegate) {
    missing.withLock { $0[ObjectIdentifier(type(of: delegate)), default: []].formUnion(methods) }
  }
}
