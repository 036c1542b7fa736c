import CoreData
import Foundation

/// Names in a store of their own: of ASCII characters alone, or with letters of European languages.
struct TextNames {
  enum Letters: String, CaseIterable { case ascii, umlauts }

  let names: [String]
  let stack: ModelStack
  private let store: Store

  init(_ store: Store, _ count: Int, _ letters: Letters) throws {
    self.store = store
    names = Self.make(count, letters)
    try store.remove(store.scratch)
    stack = try ModelStack(url: store.scratch, [.make("Place", ["name": .stringAttributeType])])
    var left = names[...]
    let insert = NSBatchInsertRequest(entityName: "Place") { (object: NSManagedObject) in
      guard let name = left.popFirst() else { return true }
      object.setValue(name, forKey: "name")
      return false
    }
    try stack.context.execute(insert)
  }

  /// Returns a request for the places that a predicate selects.
  func request(_ predicate: NSPredicate? = nil) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
    request.predicate = predicate
    return request
  }

  func close() throws {
    try stack.close()
    try store.remove(store.scratch)
  }

  /// Returns different names in random order, a fourth of them in capitals.
  private static func make(_ count: Int, _ letters: Letters) -> [String] {
    var numbers = XorShift(seed: 485)
    return XorShift.order(count, seed: 486).map { number in
      let first = (letters == .ascii ? plainFirst : first)[numbers.next(below: 16)]
      let second = (letters == .ascii ? plainSecond : second)[numbers.next(below: 16)]
      let name = "\(first) \(second) \(number)"
      return numbers.next(below: 4) == 0 ? name.uppercased() : name
    }
  }

  private static let plainFirst = [
    "North", "South", "Old", "New", "Upper", "Lower", "Great", "Little", "East", "West", "Mount", "Lake", "Saint",
    "Fort", "Port", "Castle",
  ]
  private static let plainSecond = [
    "Munster", "Arden", "Barton", "Camden", "Dalton", "Easton", "Fulton", "Garden", "Hilton", "Irving", "Jordan",
    "Kelton", "Linden", "Morton", "Norton", "Overton",
  ]
  private static let first = [
    "Nörd", "Süd", "Öst", "Groß", "Île", "Château", "Älv", "Över", "Mittel", "Åker", "Ünter", "São", "El Niño", "Köln",
    "Łódź", "Ærø",
  ]
  private static let second = [
    "Münster", "Århus", "Bärlin", "Çeşme", "Düren", "Évian", "Fürth", "Göteborg", "Höör", "İzmir", "Jämtland", "Kraków",
    "Lübeck", "Malmö", "Nîmes", "Österlen",
  ]
}
