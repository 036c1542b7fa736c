import Foundation

/// The changes that turn a list of objects into another: the places that become free, the objects that get new places,
/// and the changes of sections.
///
/// All other objects keep their order; only their places shift.
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
    /// The place before which the object comes, in the list without the removed objects.
    let base: Int
    /// The object's place before the edit, if it was in the list.
    let oldPlace: Int?
  }

  /// The objects that no longer belong to the result, with their places before the edit.
  var deleted: [Touched] = []
  /// The objects that were changed and stay between the same neighbours.
  var updated: [Touched] = []
  /// The places that become free because objects are deleted or moved, ascending.
  var removed: [Int] = []
  /// New and moved objects in their new order.
  var coming: [Coming] = []
  /// The numbers that the deleted sections have before the edit, ascending.
  var deletedSections: [Int] = []
  /// The new sections, ascending.
  var insertedSections: [NewSection] = []
  /// How many objects the other sections gain or lose, by the numbers that they have before the edit. Sections with as
  /// many new objects as lost ones are here, too.
  var sectionDifferences: [Int: Int] = [:]

  /// A section that an edit makes.
  struct NewSection {
    /// The section's number after the edit.
    let number: Int
    let name: SectionName
    let count: Int
  }

  var isEmpty: Bool { deleted.isEmpty && updated.isEmpty && coming.isEmpty }

  var changesPlaces: Bool { !removed.isEmpty || !coming.isEmpty }

  /// The number of elements that are removed and inserted.
  private var size: Int { removed.count + coming.count }

  /// Whether an array is better changed in place than built anew.
  var isSmall: Bool { size <= 16 }

  /// Whether a list of that length is better built anew than changed element by element.
  func isLarge(for count: Int) -> Bool { size > 64 && size > count / 16 }

  /// Returns the place after the edit of the object with that number in `coming`.
  func newPlace(ofComing number: Int) -> Int { coming[number].base + number }

  /// Returns the place after the edit of an object that stays.
  func newPlace(ofStaying place: Int) -> Int {
    let base = place - Bisection.count(of: removed, below: place)
    return base + Bisection.first(in: 0..<coming.count) { coming[$0].base > base }
  }

  /// Applies the edit to a list, if there is one.
  func apply<Element>(to list: inout [Element]?, _ make: (NSManagedObject) -> Element) {
    guard var changed = list else { return }
    // The only reference is taken out, so that the list is changed in place.
    list = nil
    apply(to: &changed, make)
    list = changed
  }

  /// Applies the edit to the list of objects, or to another list with one element for each object.
  func apply<Element>(to list: inout [Element], _ make: (NSManagedObject) -> Element) {
    // A few elements are removed and inserted in place; for many changes the list is built anew.
    if isSmall {
      for place in removed.reversed() { list.remove(at: place) }
      for (number, new) in coming.enumerated() { list.insert(make(new.object), at: new.base + number) }
      return
    }
    var result: [Element] = []
    result.reserveCapacity(list.count - removed.count + coming.count)
    var (base, next, place) = (0, 0, 0)
    /// Appends the elements of the old list up to a place, and the new elements that come between them.
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
