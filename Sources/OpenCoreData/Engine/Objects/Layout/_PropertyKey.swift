import Synchronization

/// The interned name of a property: two keys are equal if and only if their names are.
///
/// Generated accessors hold one for each property, so that reading an attribute costs an array look-up and no hashing.
public struct _PropertyKey: Hashable, Sendable {
  /// Dense, from 0, for the life of the process.
  let id: Int

  /// Interns `name`.
  public init(_ name: String) { id = PropertyKeyTable.shared.intern(name) }

  /// The name that was interned.
  public var name: String { PropertyKeyTable.shared.name(of: id) }
}

private final class PropertyKeyTable: Sendable {
  static let shared = PropertyKeyTable()
  private let state = Mutex<(ids: [String: Int], names: [String])>(([:], []))

  func intern(_ name: String) -> Int {
    state.withLock { state in
      if let id = state.ids[name] { return id }
      state.names.append(name)
      state.ids[name] = state.names.count - 1
      return state.names.count - 1
    }
  }

  func name(of id: Int) -> String { state.withLock { $0.names[id] } }
}
