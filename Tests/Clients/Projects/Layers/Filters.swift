//
//  Filters.swift
//  Layers
//

import Foundation

/// Compiles with Foundation alone where that has all of it.
public enum Filters {

    public static func titled(_ title: String) -> NSPredicate {
        return NSPredicate(format: "title == %@", title)
    }

    public static func comparison(_ title: String) -> NSComparisonPredicate {
        return NSComparisonPredicate(leftExpression: NSExpression(forKeyPath: "title"), rightExpression: NSExpression(forConstantValue: title), modifier: .direct, type: .equalTo)
    }

}
