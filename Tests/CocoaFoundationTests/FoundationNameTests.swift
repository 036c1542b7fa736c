import CocoaFoundation
import Testing

/// Names of Apple's Foundation, used as clients use them.
@Suite struct FoundationNameTests {
  @Test func units() async throws {
    let second: UInt64 = NSEC_PER_SEC
    #expect(second == NSEC_PER_MSEC * MSEC_PER_SEC && second == NSEC_PER_USEC * USEC_PER_SEC)
    try await Task.sleep(nanoseconds: NSEC_PER_USEC)
    let delay = DispatchTimeInterval.nanoseconds(Int(0.5 * Double(NSEC_PER_SEC)))
    #expect(delay == .milliseconds(500))
  }

  /// A constant of the client's own is not ambiguous.
  @Test func unitsOfAClient() {
    let NSEC_PER_SEC: Int = 5
    #expect(NSEC_PER_SEC == 5)
  }

  /// So is an initialiser that a client has for systems without Apple's.
  @Test func localizedStringsOfAClient() {
    #expect(String(localized: "a") == "a of the client's")
    #expect(String(localized: "a", bundle: .main, comment: "b") == "a of the client's")
    #expect(String(localized: "a", locale: .current) == "a")
  }

  @Test func objectsOfCollections() {
    func texts(_ iterator: NSFastEnumerationIterator) -> [String] { IteratorSequence(iterator).map { "\($0)" } }
    #expect(texts(NSFastEnumerationIterator([1, "b"] as NSMutableArray)) == ["1", "b"])
    #expect(texts(NSFastEnumerationIterator(NSOrderedSet(array: ["b", "a"]))) == ["b", "a"])
    #expect(texts(NSFastEnumerationIterator(NSSet(array: ["a", "b"]))).sorted() == ["a", "b"])
    // A dictionary gives its keys.
    #expect(texts(NSFastEnumerationIterator(["a": 1, "b": 2] as NSDictionary)).sorted() == ["a", "b"])
    let enumerator = ([1, 2, 3] as NSArray).objectEnumerator()
    _ = enumerator.nextObject()
    #expect(texts(NSFastEnumerationIterator(enumerator)) == ["2", "3"])
    var iterator = NSFastEnumerationIterator(NSArray())
    #expect(iterator.next() == nil && iterator.next() == nil)
    // What key-value coding hands out.
    let names = ["a", "b"].map { ["name": $0] as NSMutableDictionary } as NSArray
    let found = names.value(forKey: "name") as? NSArray ?? []
    #expect(texts(NSFastEnumerationIterator(found)) == ["a", "b"])
  }

  private class Owner: NSObject {}
  private final class Shop: Owner {}

  @Test func classes() {
    #expect(Owner.classForCoder() == Owner.self && Shop.classForCoder() == Shop.self)
    #expect(Bundle(for: Shop.classForCoder()) == Bundle(for: Shop.self))
    let shop: Owner = Shop()
    #expect(type(of: shop).classForCoder() == shop.classForCoder)
  }
}

extension String {
  fileprivate init(localized key: String, bundle: Bundle = .main, comment: String = "") {
    self = "\(key) of the client's"
  }
}
