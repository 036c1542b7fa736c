import CoreData
import Foundation
import PerformanceTuning

/// Sorts people that have their values by sort descriptors, and by closures.
func runSorting(_ store: Store) throws {
  let people = try EverydayPeople(store, Counting.isOn ? 500 : 100_000)
  let array = people.all as NSArray
  let rating = NSSortDescriptor(key: "rating", ascending: true), name = NSSortDescriptor(key: "name", ascending: true)
  let works: [(name: String, descriptors: [NSSortDescriptor], isBefore: (Person, Person) -> Bool)] = [
    ("number", [rating], { $0.rating < $1.rating }),
    ("name", [name], { $0.name ?? "" < $1.name ?? "" }),
    (
      "both", [rating, name],
      { $0.rating != $1.rating ? $0.rating < $1.rating : $0.name ?? "" < $1.name ?? "" }
    ),
  ]
  for work in works {
    var sorted: [Person] = []
    try measure(
      "sort-\(work.name)", prepare: { sorted = [] }, answer: { digest(sorted) },
      work: {
        sorted = array.sortedArray(using: work.descriptors) as? [Person] ?? []
        return sorted.count
      })
    try measure(
      "sort-\(work.name)-closure", prepare: { sorted = [] }, answer: { digest(sorted) },
      work: {
        sorted = people.all.sorted(by: work.isBefore)
        return sorted.count
      })
  }
  try people.close()
}

/// Returns a number that distinguishes the order of ratings, and of the names of all but people with equal ratings.
private func digest(_ people: [Person]) -> Int {
  var digest = Digest()
  for person in people { digest.add(Int(person.rating)) }
  return digest.answer
}
