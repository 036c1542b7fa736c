//
//  Shelf.swift
//  Filters
//

import Foundation

/// Plain objects that predicates work on.
@objcMembers
class Album: NSObject {

    var title: String
    var year: Int
    @objc dynamic var artist: Artist?

    init(title: String, year: Int, artist: Artist? = nil) {
        self.title = title
        self.year = year
        self.artist = artist
    }

    var decade: Int { return year / 10 * 10 }

}

class Artist: NSObject {

    @objc var name: String
    @objc(albumCount) var count = 0

    init(name: String) {
        self.name = name
    }

}

private final class Shelf: NSObject {

    @objc let label: String
    @objc var albums: [Album] = []

    init(label: String) {
        self.label = label
    }

}

enum ShelfSearch {

    /// Labels of the shelves that have albums of a decade.
    static func labels(of decade: Int) -> [String] {
        let rock = Shelf(label: "Rock"), jazz = Shelf(label: "Jazz")
        rock.albums = [Album(title: "Low", year: 1977), Album(title: "Blue", year: 1971, artist: Artist(name: "Joni"))]
        jazz.albums = [Album(title: "Giant Steps", year: 1960)]
        let predicate = NSPredicate(format: "ANY albums.decade == %d", decade)
        let sort = NSSortDescriptor(keyPath: \Shelf.label, ascending: true)
        let shelves = ([rock, jazz] as NSArray).sortedArray(using: [sort]) as? [Shelf] ?? []
        let named = \Shelf.label != ""
        return shelves.filter { predicate.evaluate(with: $0) && named.evaluate(with: $0) }.map(\.label)
    }

}
