import CoreData
import Foundation

/// An operation on stores in a folder.
///
/// A case consists of these steps: copy the files that `prepare` has made, call `begin` without faults, call `run` with faults,
/// check the stores, call `run` once more without faults if that is needed, and call `end`.
class Operation {
  let name: String
  let kind: StoreKind
  var folder = URL(fileURLWithPath: "/")

  init(_ name: String, _ kind: StoreKind) {
    self.name = "\(name)-\(kind.name)"
    self.kind = kind
  }

  /// Makes the initial files.
  func prepare() throws {}
  /// Does the work before each run that is not tested.
  func begin() throws {}
  /// Does the work that is tested.
  /// - Parameter environment: the environment for a program that does the work instead of this process.
  func run(_ environment: [String: String]) throws {}
  /// Does what an application does after a process was killed during the work.
  func goOn(_ environment: [String: String]) throws { try run(environment) }
  /// Closes the stores that are open.
  func end() throws {}
  /// The stores that may exist.
  var stores: [StorePlace] { [store] }
  /// Closures that make the states between the old and the new one in which the operation may stop.
  var stages: [() throws -> Void] { [] }
  /// The texts of further states in which the operation may stop.
  var otherTexts: [String] { [] }
  /// Whether the operation may do parts of its work twice. The history then has more transactions, and is not compared.
  var mayRepeat: Bool { false }
  /// Whether the operation is repeated if it has failed although the new state has been reached.
  var isRepeatable: Bool { false }
  /// Returns the contents of other files than stores as text.
  func otherText() throws -> String { "" }

  final var store: StorePlace { place("Store") }
  final func place(_ name: String, _ kind: StoreKind? = nil) -> StorePlace {
    let kind = kind ?? self.kind
    return StorePlace(
      url: folder.appendingPathComponent("\(name).\(kind.isSQLite ? "sqlite" : kind.type.lowercased())"), kind: kind)
  }

  /// Returns the contents of all stores and other files as text.
  final func text() throws -> String {
    try (stores.map { "\($0.url.lastPathComponent): \(try $0.text(withHistory: !mayRepeat))" } + [try otherText()])
      .joined(separator: "\n")
  }
}

/// An operation made of closures.
final class SimpleOperation: Operation {
  private let make: (SimpleOperation) throws -> Void
  private let work: (SimpleOperation) throws -> Void
  private let names: [(String, StoreKind?)]
  private let texts: [String]

  /// - Parameters:
  ///   - others: the stores that may exist besides the first.
  ///   - between: the texts of states in which the operation may stop.
  init(
    _ name: String, _ kind: StoreKind, others: [(String, StoreKind?)] = [], between: [String] = [],
    prepare: @escaping (SimpleOperation) throws -> Void = { try WorkerModel.fill($0.store) },
    run: @escaping (SimpleOperation) throws -> Void
  ) {
    make = prepare
    work = run
    names = others
    texts = between
    super.init(name, kind)
  }

  override func prepare() throws { try make(self) }
  override func run(_ environment: [String: String]) throws { try work(self) }
  override var otherTexts: [String] { texts }
  override var stores: [StorePlace] { [store] + names.map { place($0.0, $0.1) } }
}
