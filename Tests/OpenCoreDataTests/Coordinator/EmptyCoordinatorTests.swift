import CoreData
import Foundation
import Testing

/// Coordinators that are made without a model.
@Suite struct EmptyCoordinatorTests {
  private final class Own: NSPersistentStoreCoordinator, @unchecked Sendable {}  // nothing of its own

  @Test func itHasAModelWithoutEntities() throws {
    for coordinator in [NSPersistentStoreCoordinator(), Own()] {
      #expect(coordinator.managedObjectModel.entities.isEmpty && coordinator.persistentStores.isEmpty)
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      let context = TestModel.context(coordinator)
      try context.performAndWait { try context.save() }
    }
    #expect(NSPersistentStoreCoordinator() !== NSPersistentStoreCoordinator())
  }

  @Test func aBinaryStoreTakesTheOptionOfInsecureDecoding() throws {
    let url = try TestModel.temporaryFile()
    for value: Any in [true, NSNumber(value: false), "YES"] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
      let store = try coordinator.addPersistentStore(
        ofType: NSBinaryStoreType, configurationName: nil, at: url,
        options: [NSBinaryStoreInsecureDecodingCompatibilityOption: value])
      try coordinator.remove(store)
    }
    let error = #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator(managedObjectModel: Society.model()).addPersistentStore(
        ofType: NSBinaryStoreType, configurationName: nil, at: url,
        options: [NSBinaryStoreInsecureDecodingCompatibilityOption: Date()])
    }
    #expect(error?.code == NSPersistentStoreOpenError)
    #expect(error?.localizedDescription.contains(NSBinaryStoreInsecureDecodingCompatibilityOption) == true)
  }
}
