import CoreData
import PerformanceTuning

/// Evaluates predicates on people that have their values, and does the same with closures.
func runEvaluation(_ store: Store) throws {
  let people = try EverydayPeople(store, Counting.isOn ? 1000 : 10_000)
  let (name, names) = (EverydayPeople.name(7), (1...20).map { EverydayPeople.name($0 * 31) })
  let known = Set(names), ratings = Set(stride(from: 0, to: 1000, by: 50))
  let works: [(name: String, predicate: NSPredicate, closure: (Person) -> Bool)] = [
    ("number", NSPredicate(format: "rating > 500"), { $0.rating > 500 }),
    ("name", NSPredicate(format: "name == %@", name), { $0.name == name }),
    (
      "and", NSPredicate(format: "rating > 500 AND rating < 900"), { $0.rating > 500 && $0.rating < 900 }
    ),
    (
      "in", NSPredicate(format: "name IN %@", argumentArray: [names]),
      { person in person.name.map(known.contains) ?? false }
    ),
    (
      "in-numbers", NSPredicate(format: "rating IN %@", argumentArray: [ratings]),
      { ratings.contains(Int($0.rating)) }
    ),
    ("arithmetic", NSPredicate(format: "rating + 1 > 500"), { $0.rating + 1 > 500 }),
  ]
  for work in works {
    try measure("evaluate-\(work.name)") { people.all.count { work.predicate.evaluate(with: $0) } }
    try measure("evaluate-\(work.name)-closure") { people.all.count { work.closure($0) } }
    guard people.all.allSatisfy({ work.predicate.evaluate(with: $0) == work.closure($0) }) else {
      throw WorkloadError(description: "evaluate-\(work.name): the closure finds others")
    }
  }
  try people.close()
}

/// People of a store of their own, with their values.
struct EverydayPeople {
  let all: [Person]
  private let stack: PerformanceStack
  private let store: Store

  /// Makes people in random order, with ratings below 1,000 and different names.
  init(_ store: Store, _ count: Int) throws {
    self.store = store
    try store.remove(store.scratch)
    stack = try PerformanceStack(url: store.scratch)
    var numbers = XorShift(seed: 48)
    for number in XorShift.order(count, seed: 4848) {
      let person = Person(context: stack.context)
      person.name = Self.name(number)
      person.rating = Int16(numbers.next(below: 1000))
    }
    try stack.context.save()
    stack.context.reset()
    let request = Person.fetchRequest() as NSFetchRequest<Person>
    request.returnsObjectsAsFaults = false
    all = try stack.context.fetch(request)
  }

  static func name(_ number: Int) -> String {
    let names = ["Anna", "Bernhard", "Chloe", "Dimitri", "Elena", "Farid", "Grace", "Hiroshi"]
    return "\(names[number & 7]) \(number)"
  }

  func close() throws {
    try stack.close()
    try store.remove(store.scratch)
  }
}
