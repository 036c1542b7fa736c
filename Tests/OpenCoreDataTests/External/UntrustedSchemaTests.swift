import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What the schema of a foreign file says runs as SQL and calls none of the framework's functions.
@Suite struct UntrustedSchemaTests {
  typealias Fixture = ExternalFixture

  @Test(arguments: [
    "SELECT NSCoreDataExternalDrop(0, OLD.Z_PK, OLD.ZDATA)", "SELECT NSCoreDataExternalDrop(99, 1, x'02')",
    "SELECT NSCoreDataText(1)",
  ])
  func aTriggerOfTheFileRemovesNothing(action: String) throws {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
    }
    try PlainDatabase(store.file).rows("CREATE TRIGGER evil AFTER UPDATE OF ZNAME ON ZPICTURE BEGIN \(action); END")
    try store.inContext { context in
      let picture = try context.named("a", "Picture")
      picture.setValue("b", forKey: "name")
      let error = #expect(throws: NSError.self) { try context.save() }
      let text = "\(error?.userInfo ?? [:])\(error?.localizedDescription ?? "")"
      #expect(text.contains("unsafe use of"))
      #expect(try store.onlyFile() == Fixture.large)
    }
  }
}
