import ExampleSupport
import Foundation

/// What a run found, in the shape of its JSON. Times are in seconds.
struct Report: JSONReport, Codable {
  /// One piece of work on one store.
  struct Step: Codable {
    var work: Work
    var cost: Cost
    /// How many photos were inserted or found.
    var photos: Int
    /// How many sections there were, where there are any.
    var sections: Int?
    /// The likes of the photos on the first screen, added up.
    var likesOnScreen: Int64?
    /// The statements that read, each once.
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

/// What is measured.
enum Work: String, CaseIterable, Codable {
  case insert
  case fetchByDate
  case controller
  case controllerInBatches

  var title: String {
    switch self {
    case .insert: "insert"
    case .fetchByDate: "fetch by date"
    case .controller: "controller by likes, date"
    case .controllerInBatches: "the same, batch size 30"
    }
  }
}
