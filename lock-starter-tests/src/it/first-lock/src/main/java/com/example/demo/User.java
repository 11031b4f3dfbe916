package com.example.demo;

public record User(long id) {}
