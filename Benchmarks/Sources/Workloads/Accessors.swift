import CoreData
import PerformanceTuning

/// Measures single accesses to an object with values, and the entry into an idle context.
func runAccessors(_ store: Store) throws {
  let stack = try store.open()
  let request = Person.fetchRequest() as NSFetchRequest<Person>
  request.fetchLimit = 100
  request.returnsObjectsAsFaults = false
  let people = try stack.context.fetch(request)
  let rounds = operations / people.count
  try measure("read-string") {
    var bytes = 0
    for _ in 0..<rounds { for person in people { bytes += person.name?.utf8.count ?? 0 } }
    return bytes
  }
  try measure("read-integer") {
    var sum = 0
    for _ in 0..<rounds { for person in people { sum &+= Int(person.rating) } }
    return sum
  }
  try measure("read-number-by-key") {
    var sum = 0
    for _ in 0..<rounds { for person in people where person.value(forKey: "rating") != nil { sum += 1 } }
    return sum
  }
  let context = stack.container.newBackgroundContext()
  try measure("perform-and-wait") {
    var sum = 0
    for number in 0..<operations { sum &+= context.performAndWait { number } }
    return sum
  }
}
