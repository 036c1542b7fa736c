import CoreData
import Testing

/// Programming errors that stop the program with Apple's messages.
@Suite struct ControllerStopTests {
  private static func text(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }

  private final class Special: NSFetchedResultsController<Catalog.Item> {}

  @Test func noSortDescriptors() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let request = NSFetchRequest<Catalog.Item>(entityName: "Item")
      _ = Catalog.controller(request, try Catalog.context())
    }
    #expect(
      Self.text(result).contains(
        "'NSInvalidArgumentException', reason: 'An instance of NSFetchedResultsController requires a fetch request with "
          + "sort descriptors'"))
    let special = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let request = NSFetchRequest<Catalog.Item>(entityName: "Item")
      _ = Special(
        fetchRequest: request, managedObjectContext: try Catalog.context(), sectionNameKeyPath: nil, cacheName: nil)
    }
    #expect(Self.text(special).contains("An instance of Special requires"))
  }

  @Test(arguments: TestStore.all) func anEmptyArrayOfSortDescriptorsWillDo(_ store: TestStore) throws {
    let context = try Catalog.context(store)
    try context.performAndWait {
      let controller = Catalog.controller(Catalog.request(), context)
      try controller.performFetch()
      #expect(controller.fetchedObjects == [])
    }
  }

  @Test func pathsThatLeadNowhere() async {
    let item = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Catalog.context()
      try context.performAndWait {
        let controller = Catalog.controller(Catalog.request("title"), context)
        try controller.performFetch()
        _ = controller.object(at: IndexPath(item: 30, section: 0))
      }
    }
    #expect(
      Self.text(item).contains(
        "'NSInternalInconsistencyException', reason: 'no object at index 30 in section at index 0'"))
    let section = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Catalog.context()
      try context.performAndWait {
        let controller = Catalog.controller(Catalog.request("title"), context)
        try controller.performFetch()
        _ = controller.object(at: IndexPath(item: 0, section: 3))
      }
    }
    #expect(Self.text(section).contains("no section at index 3"))
  }

  @Test func aTitleThatIsNotThere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Catalog.context()
      try context.performAndWait {
        try Catalog.fill(context, "a1", "b1")
        let controller = Catalog.controller(Catalog.request("kind"), context, sections: "kind")
        try controller.performFetch()
        _ = controller.section(forSectionIndexTitle: "B", at: 0)
      }
    }
    #expect(Self.text(result).contains("Index title at 0 is not equal to 'B'"))
  }
}
