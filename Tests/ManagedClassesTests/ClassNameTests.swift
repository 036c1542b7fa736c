import CoreData
import Foundation
import Testing

/// Classes by the names that models give them.
@Suite struct ClassNameTests {
  @Test func aManagedClassIsFoundByItsBareName() {
    #expect(NSClassFromString("Take") == Take.self)
    #expect(NSClassFromString("ManagedClassesTests.Take") == Take.self)
  }

  @Test func otherNamesAreFoundAsFoundationDoes() {
    #expect(NSClassFromString("Foundation.NSArray") == Foundation.NSClassFromString("Foundation.NSArray"))
    #expect(NSClassFromString("ManagedClassesTests.Nobody") == nil)
  }
}
