import Foundation
import WebProtocol

/// What a store knows of its service's objects, by their IDs in the protocol.
///
/// A document is **fresh** until a context has taken it: what a fetch has brought is not asked for again when faults fire. Then it
/// stays for the time when the service is away, and for saves, which need its version.
struct WebCache {
  struct Entry {
    var document: Document
    var isFresh: Bool
    var readAt: Date
    /// The relationships whose members in the document have not been taken yet, and the save before which they were read.
    var freshMembers: Set<String>
    var save: Int
    /// Counts up: what came later has a greater one.
    var order: Int
  }

  /// Objects that came together, and that are asked for together.
  final class Company: Sendable {
    let ids: [String]
    let places: [String: Int]
    let size: Int

    init(_ ids: [String], size: Int) {
      (self.ids, self.size) = (ids, size)
      places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
    }
  }

  private var entries: [String: Entry] = [:]
  /// Counts saves: no members that were read before one are certain after it.
  private var save = 0
  private var lastOrder = 0
  private var companies: [String: Company] = [:]
  /// The IDs that queries gave last, by the text of the query.
  private var answers: [String: [String]] = [:]
  private let limit: Int
  /// The root entities by the names of all entities: objects are numbered by these.
  private let roots: [String: String]

  init(limit: Int, roots: [String: String]) { (self.limit, self.roots) = (limit, roots) }

  /// An object has the same key under the names of its own entity and of those above it.
  private func key(_ id: String) -> String {
    guard let slash = id.lastIndex(of: "/") else { return id }
    let name = String(id[..<slash])
    guard let root = roots[name], root != name else { return id }
    return root + id[slash...]
  }

  func document(_ id: String) -> Document? { entries[key(id)]?.document }

  /// How far it has counted: what is kept from now on comes later.
  var order: Int { lastOrder }

  /// Keeps what came from the service.
  /// - Parameter asked: the order at the time when the service was asked.
  /// - Returns: the IDs of those that were known in another version.
  mutating func keep(_ documents: [Document], asked: Int, at moment: Date) -> [String] {
    var newer: [String] = []
    let firstOfAnswer = lastOrder + 1
    for document in documents {
      var document = document
      let members = Set((document.many ?? [:]).keys), key = key(document.id)
      if let known = entries[key] {
        // An answer that was on its way while a save went past it. What was known before may have a greater version, too: of an
        // object that was deleted and came back.
        if known.document.version > document.version, known.order > asked { continue }
        if known.document.version != document.version { newer.append(document.id) }
        document.many = (known.document.many ?? [:]).merging(document.many ?? [:]) { $1 }
      }
      entries[key] = Entry(
        document: document, isFresh: true, readAt: moment, freshMembers: members, save: save, order: next())
    }
    if entries.count > limit { dropOldest(before: firstOfAnswer) }
    return newer
  }

  private mutating func next() -> Int {
    lastOrder += 1
    return lastOrder
  }

  private mutating func dropOldest(before firstOfAnswer: Int) {
    let orders = entries.values.map(\.order).sorted()
    let last = min(orders[orders.count / 2], firstOfAnswer - 1)
    entries = entries.filter { $0.value.order > last }
    companies = companies.filter { entries[$0.key] != nil }
  }

  mutating func forget(_ ids: some Sequence<String>) { for id in ids { entries[key(id)] = nil } }

  /// A document that nobody has taken yet.
  mutating func takeFresh(_ id: String, notOlderThan moment: Date?) -> Document? {
    let key = key(id)
    guard let entry = entries[key], entry.isFresh, moment.map({ entry.readAt >= $0 }) ?? true else { return nil }
    entries[key]?.isFresh = false
    return entry.document
  }

  mutating func takeFreshMembers(_ id: String, _ relationship: String, notOlderThan moment: Date?) -> [String]? {
    let key = key(id)
    guard let entry = entries[key], entry.freshMembers.contains(relationship), entry.save == save,
      moment.map({ entry.readAt >= $0 }) ?? true
    else { return nil }
    entries[key]?.freshMembers.remove(relationship)
    return entry.document.many?[relationship]
  }

  mutating func keepMembers(_ members: [String], of id: String, _ relationship: String) {
    let key = key(id)
    guard var document = entries[key]?.document else { return }
    document.many = (document.many ?? [:]).merging([relationship: members]) { $1 }
    entries[key]?.document = document
  }

  // MARK: Company

  mutating func gather(_ ids: [String], size: Int) {
    guard ids.count > 1, size > 1 else { return }
    let company = Company(ids.map(key), size: size)
    for key in company.ids { companies[key] = company }
    // Companies that nobody needs any more go with the documents; those of objects that were never read have a bound, too.
    if companies.count > 2 * limit { companies.removeAll() }
  }

  /// An object and those that came after it with it and that are not here yet.
  func company(of id: String) -> [String] {
    let own = key(id)
    guard let company = companies[own], let place = company.places[own] else { return [id] }
    var ids = [id]
    for other in company.ids[(place + 1)...] {
      if ids.count >= company.size { break }
      if entries[other]?.isFresh != true { ids.append(other) }
    }
    return ids
  }

  // MARK: Queries and saves

  mutating func keep(_ ids: [String], for query: String) {
    if answers.count >= 200 { answers.removeAll() }
    answers[query] = ids
  }

  func answer(to query: String) -> [String]? { answers[query] }

  /// Takes over what a save has written.
  mutating func apply(_ change: SaveMessage.Change, version: Int64, at moment: Date) {
    let key = key(change.id)
    // Of an object that is not known, an update has only a part.
    guard change.version == nil || entries[key] != nil else { return }
    var document = entries[key]?.document ?? Document(id: change.id, version: version)
    document.version = version
    document.values.merge(change.values ?? [:]) { $1 }
    document.one.merge(change.one ?? [:]) { $1 }
    entries[key] = Entry(
      document: document, isFresh: false, readAt: moment, freshMembers: [], save: save, order: next())
  }

  mutating func distrustMembers() { save += 1 }
}
