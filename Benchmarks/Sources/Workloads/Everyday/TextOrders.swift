import CoreData
import Foundation

/// Sorts names without regard to case, and in the order of lists on screens, in the store.
func runTextOrders(_ store: Store) throws {
  let small = Counting.isOn ? 1000 : 10_000
  try measureOrder("text-order-ascii", store, small, .ascii, "caseInsensitiveCompare:") {
    $0.caseInsensitiveCompare($1)
  }
  try measureOrder("text-order-umlauts", store, small, .umlauts, "caseInsensitiveCompare:") {
    $0.caseInsensitiveCompare($1)
  }
  try measureOrder("text-order-localized", store, small, .umlauts, "localizedStandardCompare:") {
    $0.localizedStandardCompare($1)
  }
  if Counting.isOn { return }
  try measureOrder("text-order-umlauts-100000", store, 100_000, .umlauts, "caseInsensitiveCompare:") {
    $0.caseInsensitiveCompare($1)
  }
}

/// Reads the IDs of all names in an order.
/// - Parameter compare: The comparison of the order, which must find all neighbours in it.
private func measureOrder(
  _ name: String, _ store: Store, _ count: Int, _ letters: TextNames.Letters, _ selector: String,
  _ compare: (String, String) -> ComparisonResult
) throws {
  guard Counting.includes(name) else { return }
  let text = try TextNames(store, count, letters)
  let order = NSSortDescriptor(key: "name", ascending: true, selector: Selector(selector))
  let request = NSFetchRequest<NSManagedObjectID>(entityName: "Place")
  request.resultType = .managedObjectIDResultType
  request.sortDescriptors = [order]
  try measure(name) { try text.stack.context.fetch(request).count }
  let objects = text.request()
  objects.sortDescriptors = [order]
  let names = try text.stack.context.fetch(objects).compactMap { $0.value(forKey: "name") as? String }
  guard Set(names) == Set(text.names),
    zip(names, names.dropFirst()).allSatisfy({ compare($0, $1) != .orderedDescending })
  else { throw WorkloadError(description: "\(name): the names are in another order") }
  try text.close()
}
