import Foundation

/// How a list of objects becomes another list: which positions are removed, which objects are inserted where, and the effect
/// on sections.
///
/// All other objects keep their order; their positions only shift.
struct ResultsEdit {
  /// An object of the list that an event has touched.
  struct Touched {
    let object: NSManagedObject
    /// The object's place before the edit.
    let place: Int
  }

  /// An object that gets a place in the list.
  struct Coming {
    let object: NSManagedObject
    /// The position in the list without the removed objects before which the object is inserted.
    let base: Int
    /// The object's place before the edit, if the object was in the list.
    let oldPlace: Int?
  }

  /// Objects that do not belong to the result any more, by their places before.
  var deleted: [Touched] = []
  /// Objects that were changed and stay between the same neighbours.
  var updated: [Touched] = []
  /// Places that become free, of deleted and of moved objects; ascending.
  var removed: [Int] = []
  /// New and moved objects in their new order.
  var coming: [Coming] = []
  /// The sections afterwards.
  var sections: SectionTable
  /// Numbers of the sections that go, before the event.
  var deletedSections: [Int] = []
  /// Numbers of the sections that come, after the event.
  var insertedSections: [Int] = []

  var isEmpty: Bool { deleted.isEmpty && updated.isEmpty && coming.isEmpty }

  var changesPlaces: Bool { !removed.isEmpty || !coming.isEmpty }

  /// The place afterwards of the object that comes at that number.
  func newPlace(ofComing number: Int) -> Int { coming[number].base + number }

  /// The place afterwards of an object that stays.
  func newPlace(ofStaying place: Int) -> Int {
    let base = place - Bisection.count(of: removed, below: place)
    return base + Bisection.first(in: 0..<coming.count) { coming[$0].base > base }
  }

  /// Applies the edit to the list of objects, or to another with an element for each.
  func apply<Element>(to list: inout [Element], _ make: (NSManagedObject) -> Element) {
    // A few elements are moved in place; of many, the list is put together anew.
    if removed.count + coming.count <= 16 {
      for place in removed.reversed() { list.remove(at: place) }
      for (number, new) in coming.enumerated() { list.insert(make(new.object), at: new.base + number) }
      return
    }
    var result: [Element] = []
    result.reserveCapacity(list.count - removed.count + coming.count)
    var (base, next, place) = (0, 0, 0)
    /// Takes over what stays, up to that place of the old list.
    func take(upTo end: Int) {
      while place < end {
        while next < coming.count, coming[next].base == base {
          result.append(make(coming[next].object))
          next += 1
        }
        let stop = next < coming.count ? min(end, place + coming[next].base - base) : end
        result.append(contentsOf: list[place..<stop])
        base += stop - place
        place = stop
      }
    }
    for gone in removed {
      take(upTo: gone)
      place = gone + 1
    }
    take(upTo: list.count)
    while next < coming.count {
      result.append(make(coming[next].object))
      next += 1
    }
    list = result
  }
}
