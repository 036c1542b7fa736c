import CoreData
import Foundation

/// Something that is done to stores in a folder.
///
/// A case is: a copy of what `prepare` makes, `begin` without faults, `run` under them, a look at the stores, `run` once
/// more without, and `end`.
class Operation {
  let name: String
  let kind: StoreKind
  var folder = URL(fileURLWithPath: "/")

  init(_ name: String, _ kind: StoreKind) {
    self.name = "\(name)-\(kind.name)"
    self.kind = kind
  }

  /// Makes what is there before.
  func prepare() throws {}
  /// What is done beforehand, each time.
  func begin() throws {}
  /// - Parameter environment: for a program that is started in place of work in this process.
  func run(_ environment: [String: String]) throws {}
  /// Closes what is open.
  func end() throws {}
  /// The stores that there may be.
  var stores: [StorePlace] { [store] }
  /// States between the old and the new one that an operation may stop in, as further operations.
  var stages: [() throws -> Void] { [] }
  /// Such states as text.
  var otherTexts: [String] { [] }
  /// Whether what was done twice in part is as good: then the history tells more.
  var mayRepeat: Bool { false }
  /// Whether it is done again where it has failed at something after the new state was there.
  var isRepeatable: Bool { false }
  /// What there is besides stores.
  func otherText() throws -> String { "" }

  final var store: StorePlace { place("Store") }
  final func place(_ name: String, _ kind: StoreKind? = nil) -> StorePlace {
    let kind = kind ?? self.kind
    return StorePlace(
      url: folder.appendingPathComponent("\(name).\(kind.isSQLite ? "sqlite" : kind.type.lowercased())"), kind: kind)
  }

  /// What there is of all stores.
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
  ///   - others: what stores there may be besides the first.
  ///   - between: states in which it may stop.
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
