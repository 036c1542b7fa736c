import CocoaFoundation
import Testing

@testable import OpenCocoaFoundation

/// Paths through several properties, of which each is registered.
@Suite struct ComposedKeyPathTests {
  private class Owner: NSObject {
    var place: Place? {
      get { nil }
      set {}
    }
    var title: String { "" }
    var stored: Place?
  }

  private final class Shop: Owner {}

  private class Place: NSObject {
    var city: String? {
      get { nil }
      set {}
    }
    var next: Place? { nil }
    var title: String { "" }
  }

  private static let registration: Void = {
    OCDRegisterKeyPath(\Owner.place, name: "where")
    OCDRegisterKeyPath(\Owner.title, name: "title")
    OCDRegisterKeyPath(\Owner.stored, name: "stored")
    OCDRegisterKeyPath(\Place.city, name: "town")
    OCDRegisterKeyPath(\Place.next, name: "next")
    OCDRegisterKeyPath(\Place.title, name: "label")
  }()

  @Test func namesAreThoseOfTheParts() {
    _ = Self.registration
    #expect((\Owner.place?.city)._kvcKeyPathString == "where.town")
    #expect((\Owner.place!.city!.count)._kvcKeyPathString == nil)
    #expect((\Owner.place?.next?.next?.title)._kvcKeyPathString == "where.next.next.label")
    #expect((\Owner.stored?.city)._kvcKeyPathString == "stored.town")
    #expect((\Shop.place?.title)._kvcKeyPathString == "where.label")
    #expect((\[Owner][0].title)._kvcKeyPathString == nil)
  }

  @Test func propertiesAreToldApart() throws {
    let one = try #require(KeyPathComponents.properties(of: \Owner.place))
    #expect(KeyPathComponents.properties(of: \Shop.place) == one)
    #expect(KeyPathComponents.properties(of: \Owner.title) != one)
    #expect(KeyPathComponents.properties(of: \Owner.stored) != one)
    #expect(KeyPathComponents.properties(of: \[Owner][0]) == nil)
    #expect(KeyPathComponents.properties(of: \Owner.self)?.isEmpty == true)
  }
}
