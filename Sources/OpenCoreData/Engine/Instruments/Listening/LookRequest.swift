import Foundation

/// A request of a client: one line of JSON.
struct LookRequest: Decodable {
  enum Kind: String, Decodable {
    /// The program, its coordinators, stores and contexts.
    case tree
    /// The pending changes of a context.
    case changes
    /// The registered objects of a context.
    case objects
    /// A predicate, evaluated with the pending objects of a context.
    case matches
    /// Events from a number on.
    case events
    /// Starts a recording.
    case record
    /// Stops the recording.
    case stop
  }

  let ask: Kind
  let context: String?
  let predicate: String?
  let entity: String?
  let limit: Int?
  let from: Int?
  let file: String?

  /// Whether the question is put to queues of the program.
  var needsQueues: Bool { [.tree, .changes, .objects, .matches].contains(ask) }
}
