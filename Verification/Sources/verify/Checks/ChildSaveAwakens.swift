import CoreData

extension Check {
  static let childSaveAwakens = Check(
    "D-CTX-20", "a child's save calls no awakeFromInsert in the parent",
    expected: "1 call"
  ) {
    let people = People()
    people.person.managedObjectClassName = NSStringFromClass(CountedPerson.self)
    let parent = try Bench(people.model).context()
    let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    child.parent = parent
    child.make("Person")
    try child.save()
    parent.processPendingChanges()
    return "\(CountedPerson.awakenings) call"
  }
}
