import CoreData
import Foundation
import WebProtocol

// Fetches of dictionaries, which are made of the documents as these come: the cache may be smaller than the result.
extension WebIncrementalStore {
  func dictionaries(
    _ question: FetchQuestion, _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: NSEntityDescription
  ) throws -> [[String: Any]] {
    let names = Set(try names(request, entity))
    var rows: [[String: Any]] = []
    // What came, by which dictionaries are told apart: the values of transformable attributes need not be comparable.
    var seen: Set<Part> = []
    try collect(question, begin: { (rows, seen) = ([], []) }) { found in
      guard let document = found.document else {
        // The answer of before is known, and its objects are not any more.
        if let absence { throw absence }
        throw NSError(web: .notAService, "The service gave no document of \(identify(found.objectID) ?? "an object").")
      }
      if question.countsDistinct, !seen.insert(Part(document, names)).inserted { return }
      rows.append(
        try values(document, found.objectID.entity).filter { names.contains($0.key) && !($0.value is NSNull) })
    }
    return question.countsDistinct ? question.window(rows) : rows
  }

  /// What a dictionary has of a document.
  private struct Part: Hashable {
    let values: [String: JSON]
    let one: [String: String]

    init(_ document: Document, _ names: Set<String>) {
      values = document.values.filter { names.contains($0.key) && $0.value != .null }
      one = document.one.compactMapValues { $0 }.filter { names.contains($0.key) }
    }
  }

  private func names(
    _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: NSEntityDescription
  ) throws -> [String] {
    try (request.propertiesToFetch ?? entity.attributesByName.keys.sorted()).map { property in
      let name = property as? String ?? (property as? NSPropertyDescription)?.name ?? ""
      let relationship = entity.relationshipsByName[name]
      guard !(property is NSExpressionDescription), request.propertiesToGroupBy?.isEmpty ?? true,
        request.havingPredicate == nil,
        entity.attributesByName[name] != nil || relationship?.isToMany == false
      else {
        throw NSError(
          web: .unsupported,
          "A web store makes dictionaries of attributes and to-one relationships, not of “\(name)” or of groups.")
      }
      return name
    }
  }
}
