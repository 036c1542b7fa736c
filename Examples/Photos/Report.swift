import ExampleSupport
import Foundation

/// The result of a run, in the structure of its JSON. Times are in seconds.
struct Report: JSONReport, Codable {
  /// One piece of work on one store.
  struct Step: Codable {
    var work: Work
    var cost: Cost
    /// The number of photos that were inserted or found.
    var photos: Int
    /// The number of sections, for requests with sections.
    var sections: Int?
    /// The sum of the likes of the photos on the first screen.
    var likesOnScreen: Int64?
    /// The statements that read rows, each only once.
    var statements: [Explanation]
  }

  /// One store: a design with indexes.
  struct Variant: Codable {
    var design: Design
    var indexing: Indexing
    /// The size of the store's file, in bytes.
    var size: Int
    var steps: [Step]
  }

  var count: Int
  var variants: [Variant] = []

  func step(_ work: Work, _ design: Design, _ indexing: Indexing) -> Step? {
    let variant = variants.first { $0.design == design && $0.indexing == indexing }
    return variant?.steps.first { $0.work == work }
  }
}

/// The kinds of work that are measured.
enum Work: String, CaseIterable, Codable {
  case insert
  case fetchByDate
  case controller
  case controllerInBatches
  case arrayInBatches

  var title: String {
    switch self {
    case .insert: "insert"
    case .fetchByDate: "fetch by date"
    case .controller: "controller by likes, date"
    case .controllerInBatches: "the same, batch size 30"
    case .arrayInBatches: "... by fetchedObjects[i]"
    }
  }
}
