import CoreData

extension Check {
  static let addingTells = Check(
    "D-STO-26", "adding and removing a store tell that stores did change, not that they will",
    expected: "did; did"
  ) {
    let bench = try Bench()
    let lines = Lines()
    let center = NotificationCenter.default
    let will = center.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresWillChange, object: bench.coordinator, queue: nil
    ) { _ in lines.all.append("will") }
    let did = center.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: bench.coordinator, queue: nil
    ) { _ in lines.all.append("did") }
    defer { [will, did].forEach(center.removeObserver) }
    let store = try bench.coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let adding = lines.all.joined(separator: ", ")
    lines.all = []
    try bench.coordinator.remove(store)
    return "\(adding); \(lines.all.joined(separator: ", "))"
  }
}
