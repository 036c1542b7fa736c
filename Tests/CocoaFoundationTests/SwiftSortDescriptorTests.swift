import CocoaFoundation
import Foundation
import Testing

@Suite("Sort descriptors of Swift")
struct SwiftSortDescriptorTests {
  struct Level: Comparable {
    var depth = 0
    static func < (left: Level, right: Level) -> Bool { left.depth > right.depth }
  }

  final class Page: NSObject {
    let title: String
    let number: Int?
    let level: Level

    init(_ title: String, _ number: Int?, _ depth: Int) {
      (self.title, self.number, level) = (title, number, Level(depth: depth))
    }
  }

  let pages = [Page("b", 10, 1), Page("B", nil, 3), Page("a", 9, 2)]

  @Test("A descriptor sorts as before, both ways")
  func sorting() {
    let descriptors: [SortDescriptor<Page>] = [
      SortDescriptor(\.title), SortDescriptor(\.title, order: .reverse), SortDescriptor(\.title, comparator: .lexical),
      SortDescriptor(\.title, comparator: .lexical, order: .reverse), SortDescriptor(\.number),
      SortDescriptor(\.number, order: .reverse), SortDescriptor(\.level), SortDescriptor(\.level, order: .reverse),
    ]
    for descriptor in descriptors {
      let converted = NSSortDescriptor(descriptor)
      #expect(converted.ascending == (descriptor.order == .forward))
      let sorted = (pages as NSArray).sortedArray(using: [converted]) as? [Page]
      #expect(sorted == pages.sorted(using: descriptor), "\(converted)")
    }
  }

  @Test("Properties with a natural order become keys; others cannot")
  func keys() {
    #expect(NSSortDescriptor(SortDescriptor(\Page.title)).key == "title")
    #expect(NSSortDescriptor(SortDescriptor(\Page.number)).selector == "compare:")
    #expect(NSSortDescriptor(SortDescriptor(\Page.level)).selector == nil)
  }

  @Test("A descriptor comes back as one of Swift, or not at all")
  func back() throws {
    for ascending in [true, false] {
      let byTitle = NSSortDescriptor(keyPath: \Page.title, ascending: ascending)
      let byNumber = NSSortDescriptor(keyPath: \Page.number, ascending: ascending)
      for descriptor in [byTitle, byNumber, NSSortDescriptor(SortDescriptor(\Page.title))] {
        let converted = try #require(SortDescriptor(descriptor, comparing: Page.self))
        #expect(pages.sorted(using: converted) == (pages as NSArray).sortedArray(using: [descriptor]) as? [Page])
      }
    }
    #expect(SortDescriptor(NSSortDescriptor(key: "title", ascending: true), comparing: Page.self) == nil)
    #expect(SortDescriptor(NSSortDescriptor(SortDescriptor(\Page.level)), comparing: Page.self) == nil)
    #expect(SortDescriptor(NSSortDescriptor(keyPath: \Page.title, ascending: true), comparing: NSNumber.self) == nil)
  }
}
