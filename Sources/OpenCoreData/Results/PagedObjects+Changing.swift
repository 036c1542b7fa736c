import Foundation

// Changing the list, with the places of the pages.
extension PagedObjects {
  /// Makes the list of keys that can be changed. It is empty until then, since most lists do not change.
  /// - Returns: false if some keys cannot be elements of that list.
  mutating func prepare() -> Bool {
    if keys != nil { return true }
    let common = entries.commonEntityNumber
    var elements: [ResultKeys.Element] = []
    elements.reserveCapacity(count)
    for (index, key) in entries.keys.enumerated() {
      let entity = common ?? entries.entityNumber(at: index)
      guard let element = ResultKeys.Element(key: key, entity: entity) else { return false }
      elements.append(element)
    }
    keys = ResultKeys(elements)
    entries = entries.others(keys: [], entities: [])
    return true
  }

  /// Whether the objects that the edit brings can be elements of the list.
  func canApply(_ edit: ResultsEdit) -> Bool {
    edit.coming.allSatisfy { $0.object.key < 0 || element($0.object) != nil && entries.mayHave($0.object) }
  }

  /// Applies an edit. The list of keys must be prepared.
  mutating func apply(_ edit: ResultsEdit) {
    if edit.isLarge(for: count), let list = keys?.list {
      var elements = list.array
      for place in edit.removed { forget(elements[place]) }
      edit.apply(to: &elements) { noted($0) }
      keys = ResultKeys(elements)
      pages = []
      return
    }
    for place in edit.removed.reversed() {
      if let element = keys?.remove(at: place) { forget(element) }
      shiftPages(removed: place)
    }
    for (number, coming) in edit.coming.enumerated() {
      let element = noted(coming.object)
      keys?.insert(element, at: coming.base + number)
      shiftPages(inserted: coming.object, at: coming.base + number)
    }
  }

  /// Replaces temporary keys by the permanent keys that objects have got.
  mutating func settle() {
    for (key, object) in unsaved where entries.mayHave(object) && !object.isDetached {
      guard let element = element(object), let place = place(ofKey: key) else { continue }
      keys?.replace(at: place, with: element)
      forget(ResultKeys.Element(temporary: key))
    }
  }

  private func element(_ object: NSManagedObject) -> ResultKeys.Element? {
    ResultKeys.Element(key: object.key, entity: entries.onlyStore?.number(of: object) ?? 0)
  }

  /// Returns the element of an object that comes into the list.
  private mutating func noted(_ object: NSManagedObject) -> ResultKeys.Element {
    if let element = element(object) { return element }
    unsaved[object.key] = object
    unsavedKeys[ObjectIdentifier(object)] = object.key
    return ResultKeys.Element(temporary: object.key)
  }

  private mutating func forget(_ element: ResultKeys.Element) {
    guard element.isTemporary, let object = unsaved.removeValue(forKey: element.key) else { return }
    unsavedKeys[ObjectIdentifier(object)] = nil
  }

  private mutating func shiftPages(removed place: Int) {
    for index in pages.indices {
      let offset = place - pages[index].start
      if offset < 0 {
        pages[index].start -= 1
      } else if offset < pages[index].objects.count {
        pages[index].objects.remove(at: offset)
      }
    }
    pages.removeAll(where: \.objects.isEmpty)
  }

  private mutating func shiftPages(inserted object: NSManagedObject, at place: Int) {
    for index in pages.indices {
      let offset = place - pages[index].start
      if offset <= 0 {
        pages[index].start += 1
      } else if offset < pages[index].objects.count {
        pages[index].objects.insert(object, at: offset)
      }
    }
  }
}
