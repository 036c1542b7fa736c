import CocoaFoundation
import Foundation
import Testing

/// What cannot be said: the part, the reason, and what to write instead.
@Suite("Errors of typed predicates") struct ConversionErrorTests {
  /// A struct, as a predicate may have for its input.
  struct Song {
    var title = ""
    var plays = 0
    var letters: [Character] = []
    var isPopular: Bool { plays > 100 }
  }

  struct Grade: Comparable, Codable, Sendable {
    var points = 0
    static func < (left: Grade, right: Grade) -> Bool { left.points < right.points }
  }

  private func error(_ predicate: Predicate<Item>) throws -> OCDConversionError {
    try #require(throws: OCDConversionError.self) { try NSPredicate(converting: predicate) }
  }

  @Test func computedProperties() throws {
    let error = try error(#Predicate { $0.computed == 1 })
    #expect(error.kind == .keyPath)
    #expect(
      error.description
        == "A computed property of Item with a value of the type Int leads to no stored property. Compare the stored properties "
        + "that it is computed from, or register its name with OCDRegisterKeyPath.")
    #expect((error as NSError).domain == NSCocoaErrorDomain && (error as NSError).code == 134060)
    #expect(error.recoverySuggestion == error.suggestion && error.errorDescription?.contains(error.reason) == true)
  }

  @Test func structsAreConverted() throws {
    #expect(
      try NSPredicate(converting: #Predicate<Song> { $0.title == "a" && $0.plays > 3 }).predicateFormat
        == "title == \"a\" AND plays > 3")
    #expect(try NSExpression(converting: #Expression<Song, Int> { $0.plays * 2 }).description == "plays * 2")
    let error = #expect(throws: OCDConversionError.self) {
      try NSPredicate(converting: #Predicate<Song> { $0.isPopular })
    }
    #expect(error?.part == "A computed property of Song with a value of the type Bool")
  }

  @Test func collectionsAndTexts() throws {
    let parts = try [
      error(#Predicate { $0.numbers[0..<1].count == 1 }), error(#Predicate { $0.numbers.contains([1]) }),
      error(#Predicate { $0.tags.contains { $0.utf8.count == 1 } }),
      error(#Predicate { $0.values.contains { $0.value == 1 } }),
      error(#Predicate { $0.numbers.starts(with: [1]) }),
    ].map { "\($0.kind) \($0.part) \($0.reason)" }
    print(parts.joined(separator: "\n"))
    #expect(Set(parts).count >= 4)
    #expect(parts.allSatisfy { $0.hasPrefix("function") || $0.hasPrefix("keyPath") })
  }

  @Test func sortDescriptors() throws {
    let descriptor = try NSSortDescriptor(converting: SortDescriptor(\Song.plays, order: .reverse))
    #expect(descriptor.key == "plays" && !descriptor.ascending)
    #expect(try NSSortDescriptor(converting: SortDescriptor(\Song.title, comparator: .lexical)).key == "title")
    let error = #expect(throws: OCDConversionError.self) {
      try NSSortDescriptor(converting: SortDescriptor(\Item.computed))
    }
    #expect(error?.kind == .keyPath)
  }
}
