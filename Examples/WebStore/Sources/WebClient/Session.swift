import CoreData
import Foundation
import WebStore

/// The steps of a run over one store. Each begins with a coordinator of its own, which knows nothing yet.
struct Session {
  let place: URL
  let authors: Int
  static let booksOfAuthor = 4

  /// Runs all steps. Waits where it is called, as a context does.
  func run() throws -> [(name: String, result: String, cost: Report.Cost)] {
    try [
      step("insert authors and books", insert),
      step("100 books by title", list),
      step("the authors of 100 books, one at a time", options: [WebStoreOption.companySize: 1]) { stack in
        try names(stack) { context, _ in context.faultBatchSize = 1 }
      },
      step("... in company") { try names($0) { _, _ in } },
      step("... prefetched") { try names($0) { $1.relationshipKeyPathsForPrefetching = ["author"] } },
      step("the books of 20 authors, one at a time") { stack in
        try books(stack) { context, _ in context.faultBatchSize = 1 }
      },
      step("... prefetched") { try books($0) { $1.relationshipKeyPathsForPrefetching = ["books"] } },
      step("count by a condition on two entities", count),
      step("a condition that only this side knows", filter),
      step("two pages of 20 out of all", pages),
      step("change 50 books", change),
      step("a conflict, merged", conflict),
      step("a list with sections, and a change", sections),
    ]
  }

  private func step(
    _ name: String, options: [String: any Sendable] = [:], _ body: (Stack) throws -> String
  ) throws -> (name: String, result: String, cost: Report.Cost) {
    let stack = try Stack(place, options: options)
    let before = stack.cost
    let result = try body(stack)
    let cost = stack.cost - before
    try stack.close()
    return (name, result, cost)
  }

  static func booksByTitle(_ limit: Int = 0) -> NSFetchRequest<Book> {
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.fetchLimit = limit
    return request
  }
}
