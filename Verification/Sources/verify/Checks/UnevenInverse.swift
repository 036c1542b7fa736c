import CoreData

extension Check {
  static let unevenInverse = Check(
    "D-REL-14", "each relationship has the inverse that it names follow, where inverses do not lead back",
    expected: "portrait 2, pictures 1+2, subjects nil+Ada; read: portrait 2, pictures 1+2, subjects nil+Ada"
  ) {
    let gallery = Gallery()
    let bench = try Bench(gallery.model)
    let context = bench.context()
    let ada = context.make("Painter", ["name": "Ada"])
    context.make("Picture", ["name": "1", "painter": ada])
    context.make("Picture", ["name": "2", "painter": ada])
    let before = try gallery.text(context)
    try context.save()
    return try "\(before); read: \(gallery.text(bench.context()))"
  }
}

/// Pictures have a painter, whose inverse is the painter's portrait, whose own inverse is the picture's subject.
private struct Gallery {
  let painter = NSEntityDescription()
  let picture = NSEntityDescription()

  init() {
    painter.name = "Painter"
    picture.name = "Picture"
    for entity in [painter, picture] { entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self) }
    func relationship(_ name: String, to destination: NSEntityDescription, many: Bool = false)
      -> NSRelationshipDescription
    {
      let relationship = NSRelationshipDescription()
      relationship.name = name
      relationship.destinationEntity = destination
      relationship.isOptional = true
      relationship.maxCount = many ? 0 : 1
      relationship.deleteRule = .nullifyDeleteRule
      return relationship
    }
    let pictures = relationship("pictures", to: picture, many: true)
    let portrait = relationship("portrait", to: picture)
    let maker = relationship("painter", to: painter)
    let subject = relationship("subject", to: painter)
    pictures.inverseRelationship = maker
    portrait.inverseRelationship = subject
    maker.inverseRelationship = portrait
    subject.inverseRelationship = portrait
    painter.properties = [attribute("name", .stringAttributeType), pictures, portrait]
    picture.properties = [attribute("name", .stringAttributeType), maker, subject]
  }

  var model: NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [painter, picture]
    return model
  }

  /// What the painter's relationships and the pictures' subjects hold.
  func text(_ context: NSManagedObjectContext) throws -> String {
    guard let ada = try context.all("Painter").first else { return "no painter" }
    func name(_ object: NSManagedObject, _ key: String) -> String {
      (object.value(forKey: key) as? NSManagedObject)?.text("name") ?? "nil"
    }
    let members = (ada.value(forKey: "pictures") as? NSSet)?.compactMap { ($0 as? NSManagedObject)?.text("name") } ?? []
    let subjects = try context.all("Picture").map { name($0, "subject") }
    return "portrait \(name(ada, "portrait")), pictures \(members.sorted().joined(separator: "+")), "
      + "subjects \(subjects.joined(separator: "+"))"
  }
}
