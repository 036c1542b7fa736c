import CoreData
import ExampleSupport
import Foundation

/// Who keeps the canonical text in step with the place.
enum Keeper: String, CaseIterable, Codable {
  /// The code that changes a place.
  case byHand
  /// The store: an attribute that is derived by `canonical:(place)`.
  case derived
  /// The object's `willSave`.
  case willSave

  var title: String {
    switch self {
    case .byHand: "kept by hand"
    case .derived: "derived attribute"
    case .willSave: "willSave"
    }
  }

  var entityName: String {
    switch self {
    case .byHand: "PlaceByHand"
    case .derived: "DerivedPlace"
    case .willSave: "SelfKeptPlace"
    }
  }
}

/// What it costs to keep a canonical text, and when it does not agree with its place.
struct Keeping: Codable {
  var keeper: Keeper
  /// Inserting the places, with one save.
  var inserting: Cost
  /// Changing a tenth of the places, with one save.
  var changing: Cost
  var changed: Int
  /// The objects whose canonical text is not that of their place: before the save, after it, and after another tenth was changed
  /// by a batch update, which makes no objects and calls no method of theirs.
  var wrongBeforeSave: Int
  var wrongAfterSave: Int
  var wrongAfterBatchUpdate: Int

  /// Measures one keeper.
  ///
  /// - Throws: The errors of saving and fetching.
  @MainActor static func measure(_ keeper: Keeper, _ count: Int, in container: NSPersistentContainer) throws -> Keeping
  {
    let context = container.viewContext
    var meter = Meter()
    for number in 0..<count {
      let object = NSEntityDescription.insertNewObject(forEntityName: keeper.entityName, into: context)
      set(SightingRecord(number: number).place, of: object, keeper)
    }
    try context.save()
    let inserting = meter.cost
    context.reset()

    let all = try objects(keeper, in: context)
    let changed = all.count / 10
    meter = Meter()
    for object in all.prefix(changed) { set("Ño \(object.value(forKey: "place") ?? "")", of: object, keeper) }
    let changes = meter.cost
    let wrongBeforeSave = wrong(all)
    meter = Meter()
    try context.save()
    let changing = changes + meter.cost
    // What the store derives is in the row; the context is told with the save.
    let wrongAfterSave = wrong(all)

    let update = NSBatchUpdateRequest(entityName: keeper.entityName)
    update.predicate = NSPredicate(format: "SELF IN %@", Array(all.suffix(changed)))
    update.propertiesToUpdate = ["place": "Öræfi"]
    try context.execute(update)
    context.reset()
    return Keeping(
      keeper: keeper, inserting: inserting, changing: changing, changed: changed, wrongBeforeSave: wrongBeforeSave,
      wrongAfterSave: wrongAfterSave, wrongAfterBatchUpdate: wrong(try objects(keeper, in: context)))
  }

  private static func set(_ place: String, of object: NSManagedObject, _ keeper: Keeper) {
    object.setValue(place, forKey: "place")
    // Each line of a program that sets a place needs this second one.
    if keeper == .byHand { object.setValue(place.canonical, forKey: "canonicalPlace") }
  }

  private static func objects(_ keeper: Keeper, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: keeper.entityName)
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  private static func wrong(_ objects: [NSManagedObject]) -> Int {
    objects.count {
      $0.value(forKey: "canonicalPlace") as? String != ($0.value(forKey: "place") as? String)?.canonical
    }
  }
}
