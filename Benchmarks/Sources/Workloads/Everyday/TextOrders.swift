import CoreData
import Foundation

/// Sorts names without regard to case, and in the order of lists on screens, in the store.
func runTextOrders(_ store: Store) throws {
  let small = Counting.isOn ? 1000 : 10_000
  try measureOrder("text-order-ascii", store, small, .ascii, "caseInsensitiveCompare:")
  try measureOrder("text-order-umlauts", store, small, .umlauts, "caseInsensitiveCompare:")
  try measureOrder("text-order-localized", store, small, .umlauts, "localizedStandardCompare:")
  if Counting.isOn { return }
  try measureOrder("text-order-umlauts-100000", store, 100_000, .umlauts, "caseInsensitiveCompare:")
}

/// Reads the IDs of all names in an order, in which the sort descriptor must find all neighbours.
private func measureOrder(
  _ name: String, _ store: Store, _ count: Int, _ letters: TextNames.Letters, _ selector: String
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
  let found = try text.stack.context.fetch(objects)
  guard Set(found.compactMap { $0.value(forKey: "name") as? String }) == Set(text.names),
    zip(found, found.dropFirst()).allSatisfy({ order.compare($0, to: $1) != .orderedDescending })
  else { throw WorkloadError(description: "\(name): the names are in another order") }
  try text.close()
}
